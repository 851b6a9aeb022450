package io.packing.fuse;

import java.time.Duration;

/** Attributes, and for how long they count. */
public record NodeAttributes(Duration valid, Attributes attributes) {}
