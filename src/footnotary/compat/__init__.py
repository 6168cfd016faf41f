"""The interfaces of the original projects as thin layers over the engine.

`footnotary.contracts` is their public name.
"""
