// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The creation of containers in a server with Azure's protocol. */
final class AzureContainers {
    private static final String VERSION = "2021-12-02";

    private AzureContainers() {}

    /** Makes a container of the account {@link ServerKind#ACCESS_KEY}. */
    static void make(URI endpoint, String container, Clock clock) throws IOException, InterruptedException {
        String date =
                DateTimeFormatter.RFC_1123_DATE_TIME.format(clock.instant().atZone(ZoneOffset.UTC));
        String path = "/%s/%s".formatted(ServerKind.ACCESS_KEY, container);
        // Azure's form of a request: its method, eleven headers that it has none of, its own headers, and its path with
        // the account twice.
        String signed = "PUT" + "\n".repeat(12)
                + "x-ms-date:%s\nx-ms-version:%s\n/%s%s\nrestype:container"
                        .formatted(date, VERSION, ServerKind.ACCESS_KEY, path);
        HttpRequest request = HttpRequest.newBuilder(endpoint.resolve(path + "?restype=container"))
                .header("x-ms-date", date)
                .header("x-ms-version", VERSION)
                .header("Authorization", "SharedKey %s:%s".formatted(ServerKind.ACCESS_KEY, sign(signed)))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 201) {
            throw new IOException(
                    "container %s was not made: %d %s".formatted(container, answer.statusCode(), answer.body()));
        }
    }

    private static String sign(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(ServerKind.AZURE_KEY), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Java has no HMAC", e);
        }
    }
}
