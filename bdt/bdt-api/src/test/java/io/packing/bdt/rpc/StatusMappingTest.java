// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class StatusMappingTest {
    /** The most characters: each may be nine bytes in a header, of which a client takes 8,192 in all. */
    private static final int MOST = 800;

    @Test
    void wordsThatACallerMadeLongFitIntoTheHeadersOfAnAnswer() {
        String name = "é".repeat(10_000);
        Status denied = Status.PERMISSION_DENIED.withDescription("not for " + name);

        StatusRuntimeException ofStatus = StatusMapping.toStatus(denied.asRuntimeException());
        StatusRuntimeException ofFailure = StatusMapping.toStatus(new IllegalArgumentException("no such " + name));

        assertThat(ofStatus.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(ofStatus.getStatus().getDescription())
                .startsWith("not for é")
                .hasSizeLessThan(MOST);
        assertThat(ofFailure.getStatus().getDescription())
                .startsWith("no such é")
                .hasSizeLessThan(MOST);
    }

    private static Exception told(Exception cause) {
        return StatusMapping.toException(Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(cause)
                .asRuntimeException());
    }

    @Test
    void aHandshakeThatBrokeOffIsTriedAgain() {
        assertThat(told(new SSLException("failure when writing TLS control frames", new IOException("Broken pipe"))))
                .isInstanceOf(UnavailableException.class);
        assertThat(told(new SSLException("failure when writing TLS control frames")))
                .isInstanceOf(UnavailableException.class);
        assertThat(told(new SSLHandshakeException("handshake timed out after 10000ms")))
                .isInstanceOf(UnavailableException.class);
    }

    @Test
    void aCertificateThatIsNotBelievedIsToldAtOnce() {
        assertThat(told(new SSLHandshakeException("Received fatal alert: certificate_unknown")))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("no trusted connection: Received fatal alert: certificate_unknown");
        Exception unknown = new SSLHandshakeException("General OpenSslEngine problem");
        Throwable unused = unknown.initCause(new CertificateException("no path to a root"));
        assertThat(told(unknown)).hasMessage("no trusted connection: no path to a root");
    }
}
