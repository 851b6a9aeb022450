package io.packing.transport.identity;

/** What a caller may be trusted with. */
public enum Role {
    /** Also who is not identified: the call itself says who makes it, and proves it. */
    ANYBODY(""),
    /** Everybody who is identified. */
    CLIENT(""),
    /** A master or a worker. */
    DAEMON("packing-daemon"),
    /** A master, to other masters of its group: whoever is believed to be one decides what was written. */
    MASTER("packing-master"),
    /** Whoever operates the system; may do what all others may. */
    SUPERUSER("packing-superuser");

    private final String organization;

    Role(String organization) {
        this.organization = organization;
    }

    /** As an organization (O) in the subject of a certificate says it. */
    public String organization() {
        return organization;
    }
}
