# case: no_pl_at_all
# expect: ok
# arch: any
# kernels: 0
# rule: a plain Python file is no error
import os


def main():
    print(os.getcwd())
