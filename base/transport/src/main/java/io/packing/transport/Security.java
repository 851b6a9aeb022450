// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.packing.transport.tls.TlsFiles;
import java.util.Optional;

/**
 * A process's protection of its connections, and its proof of its own identity.
 *
 * @param tls empty when connections are plain and every caller is trusted
 * @param token shown by a client beside, or instead of, a certificate
 * @param kerberos principal of the master for clients with a Kerberos ticket, with {@code _HOST} for its host; empty:
 *     they have none
 * @param insecure whether a server without TLS may listen where other machines reach it
 * @param options the names of the options behind these settings, for messages
 */
public record Security(
        Optional<TlsFiles> tls,
        TokenSource token,
        Optional<String> kerberos,
        boolean insecure,
        SecurityOptions options) {
    /** Plain connections, on loopback only. */
    public static final Security NONE =
            new Security(Optional.empty(), TokenSource.NONE, Optional.empty(), false, SecurityOptions.OF_MOUNTS);

    /** A client's source of tokens. The client asks it for each call, since tokens are replaced. */
    public interface TokenSource {
        TokenSource NONE = Optional::empty;

        /** Returns the token's text; empty when the client has none. */
        Optional<String> token();

        /** Returns whether {@link #token} answers without waiting for another process. */
        default boolean isAtHand() {
            return true;
        }
    }

    /** Returns these settings with a token source, and without a certificate. */
    public Security onlyShowing(TokenSource other) {
        return new Security(
                tls.map(files -> new TlsFiles(files.trust(), Optional.empty(), files.revoked())),
                other,
                kerberos,
                insecure,
                options);
    }

    /** Returns these settings with another token source. */
    public Security showing(TokenSource other) {
        return new Security(tls, other, kerberos, insecure, options);
    }
}
