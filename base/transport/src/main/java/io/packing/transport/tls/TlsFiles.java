// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files that a process has for TLS.
 *
 * @param trust certificates of the authorities that the process believes
 * @param own the certificate and key of the process; a client with a token may have none
 * @param revoked lists of revoked certificates; without it every certificate is good until it ends
 */
public record TlsFiles(Path trust, Optional<Own> own, Optional<Path> revoked) {
    /** Creates files without a list of revoked certificates. */
    public TlsFiles(Path trust, Optional<Own> own) {
        this(trust, own, Optional.empty());
    }

    /**
     * The files that prove the process's identity.
     *
     * @param certificate the process's certificate, followed by those between it and its authority
     * @param key its private key, in PKCS#8, not encrypted
     */
    public record Own(Path certificate, Path key) {}
}
