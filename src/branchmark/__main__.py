"""``python -m branchmark``"""

from branchmark.cli import main

main()
