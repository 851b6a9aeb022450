/**
 * Registry nodes with stores of their own (DupHunter, §4.2): P-servers, which have whole layers, and D-servers, which have files of layers. What
 * a node has is what its disk says; nodes ask each other over HTTP.
 */
@NullMarked
package io.packing.registry.nodes;

import org.jspecify.annotations.NullMarked;
