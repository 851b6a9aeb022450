// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.time.Duration;

/** Attributes, and for how long they count. */
public record NodeAttributes(Duration valid, Attributes attributes) {}
