package io.packing.bdt;

/** Another group of masters has the mount, or the table of mounts: ask that one. */
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

    /** The same as a failure of a call. */
    public MovedException(String message, String group, String addresses, Throwable cause) {
        super(message, cause);
        this.group = group;
        this.addresses = addresses;
    }

    public String group() {
        return group;
    }

    /** Of the masters of that group, {@code host:port} with commas between them. */
    public String addresses() {
        return addresses;
    }

    /** The first of them. */
    public String first() {
        int comma = addresses.indexOf(',');
        return comma < 0 ? addresses : addresses.substring(0, comma);
    }
}
