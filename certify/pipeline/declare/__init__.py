"""Declaring: records made, arranged and changed by people, and judged before they are kept."""
