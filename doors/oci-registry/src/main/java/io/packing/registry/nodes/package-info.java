// SPDX-License-Identifier: Apache-2.0
/**
 * Registry nodes with stores of their own (DupHunter, §4.2): P-servers, which have whole layers, and D-servers, which
 * have files of layers. The disk of a node alone defines its content; nodes ask each other over HTTP.
 */
@NullMarked
package io.packing.registry.nodes;

import org.jspecify.annotations.NullMarked;
