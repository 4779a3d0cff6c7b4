"""Where the elements of a tensor live: linear layouts over GF(2), without any IR."""
