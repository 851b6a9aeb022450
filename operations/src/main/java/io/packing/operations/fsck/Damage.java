// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

/**
 * Something that is wrong.
 *
 * @param path of the file that is concerned; empty: none is
 * @param blob key of the object below the store's prefix; empty: none is concerned
 * @param detail for people
 */
public record Damage(String path, DamageKind kind, String blob, String detail) {
    /** Returns the damage at another path. */
    Damage at(String other) {
        return new Damage(other, kind, blob, detail);
    }
}
