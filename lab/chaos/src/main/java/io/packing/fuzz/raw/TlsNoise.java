// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.raw;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** The first message of a TLS handshake (RFC 8446, 4.1.2), mostly damaged. */
public final class TlsNoise implements Noise {
    private static final int RECORD_HEADER = 5;

    private final byte[] hello;

    /** Makes the message of this JVM's client. */
    public TlsNoise() {
        try {
            SSLEngine engine = trustsAnybody().createSSLEngine("localhost", 1);
            engine.setUseClientMode(true);
            ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(ByteBuffer.allocate(0), out);
            out.flip();
            hello = new byte[out.remaining()];
            out.get(hello);
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a context of clients that accept any certificate, and have none. */
    public static SSLContext trustsAnybody() {
        TrustManager anybody = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String kind) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String kind) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {anybody}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public byte[] bytes(RandomGenerator random) {
        byte[] bytes = hello.clone();
        for (int i = random.nextInt(6); i > 0; i--) {
            // The lengths are early in the message.
            int at = random.nextBoolean() ? random.nextInt(60) : random.nextInt(bytes.length);
            bytes[at] = (byte) random.nextInt(256);
        }
        byte[] sent = Noise.damaged(bytes, random);
        if (random.nextInt(4) == 0 && sent.length > RECORD_HEADER) {
            // The record claims to be longer than the message.
            sent[3] = (byte) random.nextInt(0x40);
        }
        return sent;
    }
}
