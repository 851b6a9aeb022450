// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

/**
 * An image that was pushed.
 *
 * @param digest of its manifest
 * @param layer the digest of the layer with the container's changes
 * @param entries of that layer
 * @param bytes of that layer
 */
public record PushedImage(String digest, String layer, long entries, long bytes) {}
