"""Application layer, which connects the other packages.

    intake.read -> engine.{bonus,main}.evaluate -> checks.review -> report.compose
    -> printing.print_pdf -> signatures.signing.sign

`certify check` stops after the review, `evaluate` prints the analysis, `submit` runs to the end,
`reproduce` runs it again from the evidence in the PDF and compares.
"""
