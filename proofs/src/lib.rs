//! Kani harnesses on the production code, also run by exhaustive enumeration and by proptest.
