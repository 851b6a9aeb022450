// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.registry.nodes.NodeMessages;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An operator's calls to nodes of a registry. */
final class NodeCalls {
    private NodeCalls() {}

    /** Has a node mend all blobs; what it did. */
    static JsonNode mend(URI node, String key, boolean scrub, Optional<Duration> garbage) throws IOException {
        List<String> words = new ArrayList<>();
        if (scrub) {
            words.add("scrub=true");
        }
        garbage.ifPresent(age -> words.add("garbage=" + age.toMillis()));
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        node.resolve(NodeMessages.PREFIX + "mend?" + String.join("&", words)))
                .POST(BodyPublishers.noBody());
        if (!key.isEmpty()) {
            request.header(NodeMessages.KEY, key);
        }
        try {
            HttpResponse<byte[]> answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
            JsonNode body = new ObjectMapper().readTree(answer.body());
            if (answer.statusCode() != 200) {
                throw new IOException("%s: status %d: %s".formatted(node, answer.statusCode(), body));
            }
            return body.path("report");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException failure = new InterruptedIOException("the node is not waited for");
            failure.initCause(e);
            throw failure;
        }
    }
}
