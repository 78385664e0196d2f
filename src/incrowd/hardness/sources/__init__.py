"""The source problems: instances drawn or named, and their exact answers by integer programs (HiGHS)."""
