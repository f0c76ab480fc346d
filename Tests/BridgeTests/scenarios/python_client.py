"""The Python client's own tests, against the program that was built."""

import os
import sys
import unittest

from support.harness import REPOSITORY

FOLDER = REPOSITORY / "Protocol" / "clients" / "python"

if __name__ == "__main__":
    os.chdir(FOLDER)
    suite = unittest.defaultTestLoader.discover(str(FOLDER), top_level_dir=str(FOLDER))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if result.testsRun == 0:
        sys.exit("no tests were found")
    sys.exit(not result.wasSuccessful())
