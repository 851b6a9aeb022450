// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.time.Duration;

/**
 * A name with the node behind it.
 *
 * @param node the number by which the kernel calls the node from now on; 0: nothing has this name, and the kernel may remember that
 * @param generation with the number it is never used for another node
 * @param nameValid for how long the kernel need not ask for the name again
 * @param attributesValid for how long the attributes count
 */
public record Entry(long node, long generation, Duration nameValid, Duration attributesValid, Attributes attributes) {}
