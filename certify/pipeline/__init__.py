"""The straight line: the only room that walks between rooms.

    intake.read -> engine.{bonus,main}.evaluate -> checks.review -> report.compose
    -> printing.print_pdf -> signatures.signing.sign

`certify check` stops after the review, `evaluate` prints the analysis, `submit` runs to the end,
`reproduce` runs it again from the evidence inside the PDF and compares.
"""
