package io.packing.ufs;

/** The {@code host:port} under which workers register their peer servers. */
final class PeerAddresses {
    private PeerAddresses() {}

    /** The host part; an IPv6 address loses its brackets. */
    static String host(String address) {
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? address : address.substring(0, colon);
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
