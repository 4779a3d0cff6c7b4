"""Wrong rewrites, made on purpose: how many of them does the judge see?"""
