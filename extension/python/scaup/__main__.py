"""`python -m scaup` is the shell."""

from ._shell import main

main()
