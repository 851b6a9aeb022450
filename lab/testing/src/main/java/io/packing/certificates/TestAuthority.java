// SPDX-License-Identifier: Apache-2.0
package io.packing.certificates;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority that signs certificates into PEM files of a directory. Keys are on the curve P-256. Thread-safe. */
public final class TestAuthority {
    private static final Duration LIFE = Duration.ofDays(2);
    private static final AtomicLong SERIAL = new AtomicLong(1);

    private final Path directory;
    private final X500Name name;
    private final KeyPair keys;
    private final Instant now;
    private final Path certificate;

    private TestAuthority(Path directory, String name, Instant now) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.name = new X500Name("CN=" + name);
        this.keys = newKeys();
        this.now = now;
        this.certificate = directory.resolve(name + ".crt");
        X509v3CertificateBuilder own = builder(this.name, keys, now.minus(LIFE), now.plus(LIFE));
        own.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        write(certificate, "CERTIFICATE", sign(own));
    }

    /** Creates an authority that signs its own certificate. */
    public static TestAuthority create(Path directory, String name, Instant now) throws IOException {
        return new TestAuthority(directory, name, now);
    }

    /** Returns the file of the authority's own certificate. */
    public Path certificate() {
        return certificate;
    }

    /**
     * Issues a certificate that is valid now, for servers on loopback, too.
     *
     * @param file name of its files, without what is after the dot
     * @param subject such as {@code CN=alice, O=packing-daemon}
     */
    public IssuedCertificate issue(String file, String subject) throws IOException {
        return issue(file, subject, now.minus(LIFE), now.plus(LIFE));
    }

    /** Issues a certificate that is valid at a given time. */
    public IssuedCertificate issue(String file, String subject, Instant from, Instant to) throws IOException {
        return issue(
                file,
                subject,
                from,
                to,
                new GeneralName(GeneralName.dNSName, "localhost"),
                new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
    }

    /** Issues a certificate of another host. */
    public IssuedCertificate issueForHost(String file, String subject, String host) throws IOException {
        return issue(file, subject, now.minus(LIFE), now.plus(LIFE), new GeneralName(GeneralName.dNSName, host));
    }

    /** Issues a certificate of a server with several names and the address 127.0.0.1. */
    public IssuedCertificate issueForHosts(String file, String subject, List<String> hosts) throws IOException {
        return issue(
                file,
                subject,
                now.minus(LIFE),
                now.plus(LIFE),
                Stream.concat(
                                hosts.stream().map(host -> new GeneralName(GeneralName.dNSName, host)),
                                Stream.of(new GeneralName(GeneralName.iPAddress, "127.0.0.1")))
                        .toArray(GeneralName[]::new));
    }

    /**
     * Returns the options of a process that trusts this authority and shows a certificate.
     *
     * @param prefix such as {@code bdt}
     */
    public Map<String, String> options(String prefix, IssuedCertificate own) {
        return Map.of(
                prefix + ".tls.trust", certificate.toString(),
                prefix + ".tls.certificate", own.certificate().toString(),
                prefix + ".tls.key", own.key().toString());
    }

    private IssuedCertificate issue(String file, String subject, Instant from, Instant to, GeneralName... hosts)
            throws IOException {
        KeyPair own = newKeys();
        X509v3CertificateBuilder builder = builder(new X500Name(subject), own, from, to);
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(hosts));
        IssuedCertificate issued =
                new IssuedCertificate(directory.resolve(file + ".crt"), directory.resolve(file + ".key"));
        write(issued.key(), "PRIVATE KEY", own.getPrivate().getEncoded());
        write(issued.certificate(), "CERTIFICATE", sign(builder));
        return issued;
    }

    private X509v3CertificateBuilder builder(X500Name subject, KeyPair of, Instant from, Instant to) {
        return new JcaX509v3CertificateBuilder(
                name,
                BigInteger.valueOf(SERIAL.getAndIncrement()),
                Date.from(from),
                Date.from(to),
                subject,
                of.getPublic());
    }

    /**
     * Writes a list that revokes these certificates and no others.
     *
     * @return the file of the list, which the next list replaces
     */
    public Path revoke(IssuedCertificate... revoked) throws IOException {
        X509v2CRLBuilder list = new X509v2CRLBuilder(name, Date.from(now));
        list.setNextUpdate(Date.from(now.plus(LIFE)));
        for (IssuedCertificate each : revoked) {
            list.addCRLEntry(serial(each.certificate()), Date.from(now), CRLReason.keyCompromise);
        }
        Path file = directory.resolve("revoked.crl");
        Path next = directory.resolve("revoked.crl.next");
        try {
            write(
                    next,
                    "X509 CRL",
                    list.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                            .getEncoded());
        } catch (OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
        return Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static BigInteger serial(Path certificate) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            return ((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in))
                    .getSerialNumber();
        } catch (CertificateException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private byte[] sign(X509v3CertificateBuilder builder) throws IOException {
        try {
            return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                    .getEncoded();
        } catch (OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void write(Path file, String what, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
                        .formatted(
                                what,
                                Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)));
    }
}
