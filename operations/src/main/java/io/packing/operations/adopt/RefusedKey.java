// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

/**
 * An object that no file can stand for.
 *
 * @param key of the object in its bucket
 * @param reason in words
 */
public record RefusedKey(String key, String reason) {}
