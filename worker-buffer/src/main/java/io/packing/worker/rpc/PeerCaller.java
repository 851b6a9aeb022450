// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.packing.bdt.BdtUser;
import io.packing.transport.identity.Identity;
import io.packing.transport.identity.Role;
import java.util.Optional;

/** The caller of a peer request that is served now. */
final class PeerCaller {
    private PeerCaller() {}

    /**
     * Returns the caller as the owner of a file that it makes, and as the user whose rights count for a batch; empty
     * when the server does not identify its callers.
     */
    static Optional<BdtUser> user() {
        return Identity.current().map(caller -> new BdtUser(caller.user(), caller.has(Role.SUPERUSER)));
    }

    /**
     * Returns the user whose right to the bytes the worker checks; empty: the server identifies no caller, or trusts
     * this one with all bytes.
     */
    static Optional<String> reader() {
        return Identity.current().filter(caller -> !caller.has(Role.DAEMON)).map(Identity::user);
    }

    /**
     * Returns the user whose right to bytes in blobs the worker checks; empty for a superuser. A daemon's certificate
     * gives no right to files.
     */
    static Optional<String> readerOfBlobs() {
        return Identity.current().filter(caller -> !caller.has(Role.SUPERUSER)).map(Identity::user);
    }
}
