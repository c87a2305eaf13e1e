"""What lessons ask of the library and no single function answers, and the experiments that students write rules for."""
