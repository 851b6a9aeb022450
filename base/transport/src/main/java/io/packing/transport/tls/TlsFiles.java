package io.packing.transport.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files that a process has for TLS.
 *
 * @param trust certificates of the authorities whose certificates are believed
 * @param own what the process shows; a client that has a token may have none
 * @param revoked lists of certificates that are believed no more; empty: all are until they end
 */
public record TlsFiles(Path trust, Optional<Own> own, Optional<Path> revoked) {
    /** Without a list of revoked certificates. */
    public TlsFiles(Path trust, Optional<Own> own) {
        this(trust, own, Optional.empty());
    }

    /**
     * What a process shows.
     *
     * @param certificate the process's certificate, followed by those between it and its authority
     * @param key its private key, in PKCS#8, not encrypted
     */
    public record Own(Path certificate, Path key) {}
}
