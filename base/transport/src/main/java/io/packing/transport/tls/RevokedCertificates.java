// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.tls;

import io.packing.transport.watch.WatchedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates that ended before their time, according to the lists of their authorities (RFC 5280, section 5). It
 * reads the file of the lists again when the file changes; if the new one is unusable, the old lists stay in use.
 * Thread-safe.
 */
public final class RevokedCertificates {
    private static final Logger LOG = LoggerFactory.getLogger(RevokedCertificates.class);

    private record Issued(X500Principal authority, BigInteger serial) {
        static Issued of(X509Certificate certificate) {
            return new Issued(certificate.getIssuerX500Principal(), certificate.getSerialNumber());
        }
    }

    private final Optional<WatchedFiles> files;
    private volatile Map<Issued, Instant> revoked = Map.of();

    private RevokedCertificates(TlsFiles tls) {
        this.files = tls.revoked().map(list -> WatchedFiles.read(List.of(list), () -> load(list, tls.trust())));
    }

    /**
     * Reads the lists of a process; without a file of them no certificate is revoked.
     *
     * @throws IllegalArgumentException naming the file that cannot be used
     */
    public static RevokedCertificates read(TlsFiles files) {
        return new RevokedCertificates(files);
    }

    private void load(Path list, Path trust) throws IOException, GeneralSecurityException {
        List<X509CRL> lists = lists(list);
        X509Certificate[] authorities = OwnKeys.certificates(trust);
        Map<Issued, Instant> all = new HashMap<>();
        for (X509CRL each : lists) {
            checkSigned(each, authorities);
            // A list stays in use when the next one is late: to refuse all callers would not protect the server.
            LOG.info(
                    "{} has a list of revoked certificates of {}; the next one is due at {}",
                    list,
                    each.getIssuerX500Principal(),
                    each.getNextUpdate());
            if (each.getRevokedCertificates() != null) {
                for (X509CRLEntry entry : each.getRevokedCertificates()) {
                    X500Principal authority = entry.getCertificateIssuer() == null
                            ? each.getIssuerX500Principal()
                            : entry.getCertificateIssuer();
                    all.put(
                            new Issued(authority, entry.getSerialNumber()),
                            entry.getRevocationDate().toInstant());
                }
            }
        }
        revoked = Map.copyOf(all);
        LOG.info("{} certificates are revoked by {}", all.size(), list);
    }

    private static List<X509CRL> lists(Path file) throws IOException, GeneralSecurityException {
        List<X509CRL> lists = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            for (CRL each : CertificateFactory.getInstance("X.509").generateCRLs(in)) {
                if (each instanceof X509CRL list) {
                    lists.add(list);
                }
            }
        }
        if (lists.isEmpty()) {
            // An empty file would revoke no certificate; more likely the operator is still writing it.
            throw new CRLException("there is no list of revoked certificates (BEGIN X509 CRL) in it");
        }
        return lists;
    }

    private static void checkSigned(X509CRL list, X509Certificate[] authorities) throws CRLException {
        for (X509Certificate authority : authorities) {
            if (authority.getSubjectX500Principal().equals(list.getIssuerX500Principal())
                    && isSigned(list, authority)) {
                return;
            }
        }
        throw new CRLException("the list of '%s' is signed by none of the authorities that are believed"
                .formatted(list.getIssuerX500Principal()));
    }

    private static boolean isSigned(X509CRL list, X509Certificate authority) {
        try {
            list.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns the reason why a chain of certificates is no longer good; empty when none of them is revoked. */
    public Optional<String> why(List<X509Certificate> chain) {
        if (files.isEmpty()) {
            return Optional.empty();
        }
        files.get().refresh();
        Map<Issued, Instant> now = revoked;
        for (X509Certificate each : chain) {
            Instant since = now.get(Issued.of(each));
            if (since != null) {
                return Optional.of("the certificate of %s with serial number %X was revoked at %s: get another one"
                        .formatted(each.getSubjectX500Principal(), each.getSerialNumber(), since));
            }
        }
        return Optional.empty();
    }

    /**
     * Refuses a chain with a revoked certificate.
     *
     * @throws CertificateException when one of the chain is revoked
     */
    void check(X509Certificate[] chain) throws CertificateException {
        Optional<String> why = why(List.of(chain));
        if (why.isPresent()) {
            LOG.info("refused a connection: {}", why.get());
            throw new CertificateException(why.get());
        }
    }
}
