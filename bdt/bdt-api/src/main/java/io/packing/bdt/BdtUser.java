package io.packing.bdt;

/**
 * A user for whom somebody else acts.
 *
 * @param superuser whether the user's certificate has that role
 */
public record BdtUser(String name, boolean superuser) {
    public BdtUser {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a user without a name");
        }
    }
}
