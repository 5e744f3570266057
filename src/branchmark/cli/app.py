"""The application that all commands join."""

from __future__ import annotations

from typing import Annotated

import typer

from branchmark._version import __version__
from branchmark.cli import compare, convert, demo, evaluate, inspect, measures

app = typer.Typer(
    name="branchmark",
    help="Measure, compare and build classifiers when classes form a hierarchy.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(show: bool) -> None:
    if show:
        print(f"branchmark {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Measure, compare and build classifiers when classes form a hierarchy."""


for command in (evaluate.evaluate, compare.compare, inspect.inspect, measures.measures, convert.convert, demo.demo):
    app.command()(command)
