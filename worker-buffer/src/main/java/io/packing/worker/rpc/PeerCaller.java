package io.packing.worker.rpc;

import io.packing.bdt.BdtUser;
import io.packing.transport.identity.Identity;
import io.packing.transport.identity.Role;
import java.util.Optional;

/** Who makes the call of a peer that is served. */
final class PeerCaller {
    private PeerCaller() {}

    /** Returns the owner of a file that the caller makes; empty when the server does not identify its callers. */
    static Optional<BdtUser> writer() {
        return Identity.current().map(caller -> new BdtUser(caller.user(), caller.has(Role.SUPERUSER)));
    }

    /** Returns the user to ask for before bytes are given; empty: the server identifies no caller, or trusts this one with all bytes. */
    static Optional<String> reader() {
        return Identity.current().filter(caller -> !caller.has(Role.DAEMON)).map(Identity::user);
    }

    /** Returns the user to ask for before bytes in blobs are given; empty: a superuser. A daemon's certificate gives no right on files. */
    static Optional<String> readerOfBlobs() {
        return Identity.current().filter(caller -> !caller.has(Role.SUPERUSER)).map(Identity::user);
    }
}
