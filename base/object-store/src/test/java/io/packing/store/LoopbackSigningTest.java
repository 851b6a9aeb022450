// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;

class LoopbackSigningTest {
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:9000, true",
        "http://[::1]:9000, true",
        "https://127.0.0.1:9000, false",
        "http://192.0.2.1:9000, false",
        "http://s3.invalid, false",
    })
    void onlyPlainHttpToThisMachineGoesWithoutASignedPayload(URI endpoint, boolean suits) {
        assertThat(LoopbackSigning.suits(endpoint)).isEqualTo(suits);
    }

    @Test
    void aPutToThisMachineIsSignedAndCarriesItsChecksumButNoHashOfItsBytes() throws Exception {
        byte[] bytes = "payload".getBytes(StandardCharsets.UTF_8);
        BlockingQueue<Headers> seen = new LinkedBlockingQueue<>();
        BlockingQueue<byte[]> body = new LinkedBlockingQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            seen.add(exchange.getRequestHeaders());
            body.add(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        try (S3Client client = S3Connection.open(S3Fixtures.options(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "s3://bucket", Map.of()))
                .client()) {
            client.putObject(
                    request -> request.bucket("bucket").key("key").checksumAlgorithm(ChecksumAlgorithm.CRC32_C),
                    RequestBody.fromBytes(bytes));
        } finally {
            server.stop(0);
        }
        assertThat(body.remove()).isEqualTo(bytes);
        Headers headers = seen.remove();
        assertThat(headers.getFirst("x-amz-content-sha256")).isEqualTo("UNSIGNED-PAYLOAD");
        assertThat(headers.getFirst("Authorization")).contains("AWS4-HMAC-SHA256", "Signature=");
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        assertThat(headers.getFirst("x-amz-checksum-crc32c"))
                .isEqualTo(Base64.getEncoder()
                        .encodeToString(ByteBuffer.allocate(4)
                                .putInt((int) crc.getValue())
                                .array()));
    }
}
