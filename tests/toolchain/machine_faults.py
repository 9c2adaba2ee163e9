# SPDX-License-Identifier: Apache-2.0
"""The test's side of tests/testing/machine_faults.cpp: what goes wrong in a daemon that was started with it."""
import mmap
import pathlib
import struct


class MachineFaults:
    FORM = "<qqq64s"

    def __init__(self, library, path):
        self.library, self.path = pathlib.Path(library).resolve(), pathlib.Path(path)
        self.path.write_bytes(struct.pack(self.FORM, 0, 0, -1, b""))
        with open(self.path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), struct.calcsize(self.FORM))

    def environment(self):
        return {"LD_PRELOAD": str(self.library), "PLACID_MACHINE_FAULTS": str(self.path)}

    def set(self, seconds=0, full=False, writes=-1, name=""):
        """`name` is a part of the path of the files that `full` and `writes` are about."""
        if len(name) > 63:
            raise ValueError(name)
        # The switches last: they are read while this is written.
        self.map[24:88] = name.encode().ljust(64, b"\0")
        self.map[0:24] = struct.pack("<qqq", seconds, int(full), writes)
