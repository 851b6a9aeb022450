// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/** A refusal because another master group has the mount, or the table of mounts: ask that one. */
public final class MovedException extends UnavailableException {
    private static final long serialVersionUID = 1L;

    private final String group;
    private final String addresses;

    /**
     * Names the other group.
     *
     * @param addresses of its masters, {@code host:port} with commas between them
     */
    public MovedException(String message, String group, String addresses) {
        super(message);
        this.group = group;
        this.addresses = addresses;
    }

    /** Makes the refusal from a call's failure. */
    public MovedException(String message, String group, String addresses, Throwable cause) {
        super(message, cause);
        this.group = group;
        this.addresses = addresses;
    }

    public String group() {
        return group;
    }

    /** Returns the addresses of that group's masters, {@code host:port} with commas between them. */
    public String addresses() {
        return addresses;
    }

    /** Returns the first address. */
    public String first() {
        int comma = addresses.indexOf(',');
        return comma < 0 ? addresses : addresses.substring(0, comma);
    }
}
