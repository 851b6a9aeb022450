package io.packing.transport;

import io.packing.transport.tls.TlsFiles;
import java.util.Optional;

/**
 * How a process protects its connections, and who it says it is.
 *
 * @param tls empty: connections are plain, and everybody is trusted
 * @param token what a client shows beside, or instead of, a certificate
 * @param kerberos principal of the master for clients with a Kerberos ticket, with {@code _HOST} for its host; empty: they have none
 * @param insecure whether a server without TLS may listen where other machines reach it
 * @param options how the options are called that say this, for messages
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

    /** Where a client has its token from. It is asked for each call, since tokens are replaced. */
    public interface TokenSource {
        TokenSource NONE = Optional::empty;

        /** The token's text; empty when there is none. */
        Optional<String> token();

        /** Whether there is one without waiting for anybody. */
        default boolean isAtHand() {
            return true;
        }
    }

    /** The same with what shows a token, if there is one, and without a certificate. */
    public Security onlyShowing(TokenSource other) {
        return new Security(
                tls.map(files -> new TlsFiles(files.trust(), Optional.empty(), files.revoked())),
                other,
                kerberos,
                insecure,
                options);
    }

    /** The same with another token. */
    public Security showing(TokenSource other) {
        return new Security(tls, other, kerberos, insecure, options);
    }
}
