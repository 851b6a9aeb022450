// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * A user for whom another process acts.
 *
 * @param superuser true if the user's certificate has that role
 */
public record BdtUser(String name, boolean superuser) {
    public BdtUser {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a user without a name");
        }
    }
}
