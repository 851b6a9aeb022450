package io.packing.transport.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files that a process has for TLS.
 *
 * @param trust certificates of the authorities whose certificates are believed
 * @param own what the process shows; a client that has a token may have none
 */
public record TlsFiles(Path trust, Optional<Own> own) {
    /**
     * What a process shows.
     *
     * @param certificate the process's certificate, followed by those between it and its authority
     * @param key its private key, in PKCS#8, not encrypted
     */
    public record Own(Path certificate, Path key) {}
}
