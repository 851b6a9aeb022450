// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import com.google.common.net.InetAddresses;
import io.packing.registry.dedup.ContentSource;
import io.packing.registry.nodes.NodeMender;
import io.packing.registry.nodes.NodeMessages;
import io.packing.registry.nodes.NodeRefusedException;
import io.packing.registry.nodes.NodeService;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Serves the requests of nodes to each other. Other clients are refused: nodes share a secret, or are processes of one
 * machine. {@code NodeMessages} has the bodies, big-endian; paths are below its prefix:
 *
 * <pre>
 * GET, HEAD, PUT, DELETE layers/DIGEST    a whole blob; ?from= a position
 * POST levels                             hashes of 32 bytes; a byte for each: the node's replica, -1: none
 * POST slice                              hash, length (8), offset (8), count (4) of each; for each 1 and the bytes, or 0
 * PUT files                               level (1), length (8), hash (32), bytes of each; 201 when all are on the disk
 * DELETE files/HEX                        one content
 * POST check/DIGEST, check-file/HEX, scrub
 *                                         bytes are hashed, and deleted when they are wrong
 * GET old-layers/MILLIS, old-files/MILLIS those that neither came nor were asked for in that time
 * GET room/BYTES                          204, or 507: no room
 * GET status, POST mend                   bytes and pulls; the results of mending
 * </pre>
 */
final class NodeEndpoint {
    private static final String OCTETS = "application/octet-stream";
    private static final int NO_ROOM = 507;

    private final NodeService node;

    NodeEndpoint(NodeService node) {
        this.node = node;
    }

    static boolean isFor(String path) {
        return path.startsWith(NodeMessages.PREFIX);
    }

    private boolean isNode(Exchange exchange) {
        if (node.key().isEmpty()) {
            return InetAddresses.isInetAddress(exchange.remoteAddress())
                    && InetAddresses.forString(exchange.remoteAddress()).isLoopbackAddress();
        }
        byte[] shown = exchange.header(NodeMessages.KEY).orElse("").getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(shown, node.key().getBytes(StandardCharsets.UTF_8));
    }

    void serve(Exchange exchange, String path) throws IOException, OciException {
        if (!isNode(exchange)) {
            throw new OciException(OciCode.DENIED, "only nodes of this registry may ask here");
        }
        String[] words = path.substring(NodeMessages.PREFIX.length()).split("/", 2);
        String what = (exchange.isHead() ? "GET" : exchange.method()) + " " + words[0];
        String of = words.length == 2 ? words[1] : "";
        try {
            switch (what) {
                case "GET layers" -> layer(exchange, Digest.parse(of));
                case "PUT layers" -> {
                    node.store().putLayer(Digest.parse(of), exchange.contentLength(), exchange.body());
                    exchange.send(201);
                }
                case "DELETE layers" -> {
                    node.store().deleteLayer(Digest.parse(of));
                    exchange.send(204);
                }
                case "POST check" -> {
                    node.store().checkLayer(Digest.parse(of));
                    exchange.send(204);
                }
                case "POST check-file" -> {
                    node.store().checkFile(new Digest(Digest.Algorithm.SHA256, of).hex());
                    exchange.send(204);
                }
                case "POST scrub" ->
                    exchange.sendJson(200, Map.of("deleted", node.store().scrub()));
                case "GET old-layers" -> lines(exchange, node.store().oldLayers(Duration.ofMillis(Long.parseLong(of))));
                case "GET old-files" -> lines(exchange, node.store().oldFiles(Duration.ofMillis(Long.parseLong(of))));
                case "POST levels" -> levels(exchange);
                case "POST slice" -> slice(exchange);
                case "PUT files" -> {
                    node.store().putFiles(exchange.body());
                    exchange.send(201);
                }
                case "DELETE files" -> {
                    node.store().deleteFile(new Digest(Digest.Algorithm.SHA256, of).hex());
                    exchange.send(204);
                }
                case "GET room" -> {
                    node.store().checkRoom(Long.parseLong(of));
                    exchange.send(204);
                }
                case "GET status" ->
                    exchange.sendJson(
                            200,
                            Map.of(
                                    "bytes",
                                    node.store().bytes(),
                                    "pulls",
                                    node.pulls().counts()));
                case "POST mend" -> exchange.sendJson(200, Map.of("report", node.mend(options(exchange))));
                default -> throw new OciException(OciCode.UNSUPPORTED, "a node does not do %.80s".formatted(what));
            }
        } catch (IllegalArgumentException e) {
            throw new OciException(OciCode.DIGEST_INVALID, String.valueOf(e.getMessage()));
        } catch (FileNotFoundException e) {
            exchange.refuse(404, OciCode.BLOB_UNKNOWN.name(), String.valueOf(e.getMessage()));
        } catch (NodeRefusedException e) {
            exchange.refuse(NO_ROOM, "NO_ROOM", String.valueOf(e.getMessage()));
        }
    }

    private void layer(Exchange exchange, Digest digest) throws IOException, OciException {
        long from;
        try {
            from = Long.parseLong(exchange.query("from").orElse("0"));
        } catch (NumberFormatException e) {
            throw new OciException(OciCode.SIZE_INVALID, "from is no number");
        }
        long length = node.store().hasLayer(digest) ? node.store().layerLength(digest) : -1;
        if (length < 0 || from < 0 || from > length) {
            exchange.refuse(404, OciCode.BLOB_UNKNOWN.name(), "there is no layer %s".formatted(digest));
            return;
        }
        try (InputStream bytes = Channels.newInputStream(node.store().layer(digest, from))) {
            OutputStream out = exchange.begin(200, OCTETS, length - from);
            if (!exchange.isHead()) {
                VerifiedCopy.copyRange(bytes, out, length - from);
            }
            out.close();
        }
    }

    private static NodeMender.Options options(Exchange exchange) {
        Optional<Duration> garbage = exchange.query("garbage").map(millis -> Duration.ofMillis(Long.parseLong(millis)));
        return new NodeMender.Options(exchange.query("scrub").isPresent(), garbage);
    }

    private static void lines(Exchange exchange, List<String> lines) throws IOException {
        String all = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
        exchange.send(200, OCTETS, all.getBytes(StandardCharsets.US_ASCII));
    }

    private void levels(Exchange exchange) throws IOException {
        List<String> hexes = NodeMessages.readHashes(exchange.body());
        Map<String, Integer> levels = node.store().levels(hexes);
        byte[] answer = new byte[hexes.size()];
        for (int i = 0; i < answer.length; i++) {
            answer[i] =
                    (byte) (int) Optional.ofNullable(levels.get(hexes.get(i))).orElse(-1);
        }
        exchange.send(200, OCTETS, answer);
    }

    private void slice(Exchange exchange) throws IOException {
        List<ContentSource.Wanted> wanted = new ArrayList<>(NodeMessages.readWanted(exchange.body()));
        OutputStream out = exchange.begin(200, OCTETS);
        for (ContentSource.Wanted each : wanted) {
            byte[] bytes = new byte[each.count() + 1];
            boolean there = node.store()
                    .read(each, ByteBuffer.wrap(bytes, 1, each.count()).slice());
            bytes[0] = (byte) (there ? NodeMessages.PRESENT : NodeMessages.ABSENT);
            out.write(bytes, 0, there ? bytes.length : 1);
        }
        out.close();
    }
}
