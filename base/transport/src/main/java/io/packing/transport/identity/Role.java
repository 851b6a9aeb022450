// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.identity;

/** A caller's degree of trust. */
public enum Role {
    /** Includes callers without identity: the call itself names its caller, and proves it. */
    CALLER(""),
    /** Any caller with an identity. */
    CLIENT(""),
    /** A master or a worker. */
    DAEMON("packing-daemon"),
    /**
     * A master, as the other masters of its group see it. A process that they take for a master decides about writes.
     */
    MASTER("packing-master"),
    /** An operator of the system; has the rights of all other roles. */
    SUPERUSER("packing-superuser");

    private final String organization;

    Role(String organization) {
        this.organization = organization;
    }

    /** Returns the organization (O) in a certificate's subject that gives this role. */
    public String organization() {
        return organization;
    }
}
