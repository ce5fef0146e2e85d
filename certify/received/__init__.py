"""Limits of a received project: links, file names and the git repository around it.

Other people may have made the project that a command works in: a clone, an archive, a pull
request. Its files are data. They make certify read no other file, write nowhere else and run no
program. `docs/explanation/received-projects.md` lists each rule with the test that proves it.
"""
