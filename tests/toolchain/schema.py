# SPDX-License-Identifier: Apache-2.0
"""As much of JSON Schema as docs/protocol uses, so that its files are held against what really goes over the wire. A word
that is not known here is an error: a schema must not say what nobody checks."""
import json
import re

IGNORED = {"$schema", "title", "description", "$defs"}


class Schema:
    def __init__(self, path):
        self.root = json.loads(path.read_text())

    def faults(self, value, definition):
        """What is wrong with `value` as `#/$defs/definition`, a line each."""
        out = []
        self.check(value, {"$ref": "#/$defs/" + definition}, definition, out)
        return out

    def check(self, value, schema, where, out):
        for word, wanted in schema.items():
            if word in IGNORED:
                continue
            getattr(self, "on_" + word.lstrip("$"))(value, wanted, where, out, schema)

    def on_ref(self, value, wanted, where, out, _):
        self.check(value, self.root["$defs"][wanted.removeprefix("#/$defs/")], where, out)

    def on_type(self, value, wanted, where, out, _):
        kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
        if not isinstance(value, kinds[wanted]) or (wanted == "integer" and isinstance(value, bool)):
            out.append(f"{where}: {value!r} is no {wanted}")

    def on_enum(self, value, wanted, where, out, _):
        if value not in wanted:
            out.append(f"{where}: {value!r} is none of {wanted}")

    def on_const(self, value, wanted, where, out, _):
        if value != wanted:
            out.append(f"{where}: {value!r} is not {wanted!r}")

    def on_pattern(self, value, wanted, where, out, _):
        if isinstance(value, str) and not re.search(wanted, value):
            out.append(f"{where}: {value!r} does not match {wanted}")

    def on_required(self, value, wanted, where, out, _):
        out += [f"{where}: {name} is missing" for name in wanted if isinstance(value, dict) and name not in value]

    def on_properties(self, value, wanted, where, out, _):
        for name in wanted:
            if isinstance(value, dict) and name in value:
                self.check(value[name], wanted[name], f"{where}.{name}", out)

    def on_additionalProperties(self, value, wanted, where, out, schema):
        for name in value if isinstance(value, dict) else ():
            if name in schema.get("properties", {}):
                continue
            if wanted is False:
                out.append(f"{where}: {name} is not expected")
            elif wanted is not True:
                self.check(value[name], wanted, f"{where}.{name}", out)

    def on_items(self, value, wanted, where, out, _):
        for i, item in enumerate(value if isinstance(value, list) else ()):
            self.check(item, wanted, f"{where}[{i}]", out)

    def bound(self, value, good, what, where, out):
        if not good:
            out.append(f"{where}: {value!r}: {what}")

    def on_minimum(self, value, wanted, where, out, _):
        self.bound(value, not isinstance(value, int) or value >= wanted, f"less than {wanted}", where, out)

    def on_maximum(self, value, wanted, where, out, _):
        self.bound(value, not isinstance(value, int) or value <= wanted, f"more than {wanted}", where, out)

    def on_minItems(self, value, wanted, where, out, _):
        self.bound(value, not isinstance(value, list) or len(value) >= wanted, f"fewer than {wanted}", where, out)

    def on_maxItems(self, value, wanted, where, out, _):
        self.bound(value, not isinstance(value, list) or len(value) <= wanted, f"more than {wanted}", where, out)

    def on_minLength(self, value, wanted, where, out, _):
        self.bound(value, not isinstance(value, str) or len(value) >= wanted, f"shorter than {wanted}", where, out)

    def on_maxLength(self, value, wanted, where, out, _):
        self.bound(value, not isinstance(value, str) or len(value) <= wanted, f"longer than {wanted}", where, out)
