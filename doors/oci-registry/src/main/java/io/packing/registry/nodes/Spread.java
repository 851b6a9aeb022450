// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.placement.FileIndex;
import io.packing.registry.dedup.LayerNodes;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files of a layer on their way to D-servers, many small ones with one request. A node that refuses them, or does not answer, is
 * replaced by another one. Confined to one thread.
 */
final class Spread implements LayerNodes.Placing {
    private static final int BATCH = 1 << 20;

    private final Cluster cluster;
    /** The nodes that each file still has to get to, and as which replica. */
    private final Map<String, Map<String, Integer>> places = new LinkedHashMap<>();

    private final Map<String, Set<String>> has = new HashMap<>();
    private final Map<String, Long> sent = new TreeMap<>();
    private final Set<String> refused = new HashSet<>();
    private final Map<String, ByteArrayOutputStream> batches = new TreeMap<>();

    /**
     * Makes the spread of some files.
     *
     * @param copies the nodes of each file
     */
    Spread(Cluster cluster, List<FileIndex.Copy> copies) {
        this.cluster = cluster;
        cluster.living(NodeRole.DEDUP).forEach(name -> sent.put(name, 0L));
        for (FileIndex.Copy copy : copies) {
            String hex = copy.file().id();
            Set<String> there = has.computeIfAbsent(hex, unused -> new HashSet<>(copy.from()));
            Map<String, Integer> to = places.computeIfAbsent(hex, unused -> new LinkedHashMap<>());
            to.put(copy.to(), there.size());
            there.add(copy.to());
            sent.merge(copy.to(), copy.file().bytes(), Long::sum);
        }
    }

    @Override
    public boolean wants(String hex) {
        return places.containsKey(hex);
    }

    @Override
    public void put(String hex, InputStream bytes, long length) throws IOException {
        Map<String, Integer> to = places.remove(hex);
        if (to == null) {
            return;
        }
        if (length > BATCH) {
            putLarge(hex, bytes, length, to);
            return;
        }
        byte[] held = bytes.readNBytes((int) length);
        for (Map.Entry<String, Integer> each : to.entrySet()) {
            add(hex, each.getValue(), each.getKey(), held);
        }
    }

    private void add(String hex, int level, String name, byte[] bytes) throws IOException {
        String to = refused.contains(name) || !cluster.lives(name) ? another(hex, bytes.length) : name;
        ByteArrayOutputStream batch = batches.computeIfAbsent(to, unused -> new ByteArrayOutputStream());
        batch.writeBytes(new FileRecord(hex, level, bytes.length).header());
        batch.writeBytes(bytes);
        if (batch.size() >= BATCH) {
            flush(to);
        }
    }

    private void flush(String name) throws IOException {
        ByteArrayOutputStream batch = batches.remove(name);
        if (batch == null) {
            return;
        }
        byte[] all = batch.toByteArray();
        try {
            cluster.order(name, node -> node.putFiles(all.length, () -> new ByteArrayInputStream(all)));
        } catch (IOException e) {
            refused.add(name);
            again(all);
        }
    }

    /** Gives the files of a batch to other nodes. */
    private void again(byte[] batch) throws IOException {
        InputStream in = new ByteArrayInputStream(batch);
        for (Optional<FileRecord> next = FileRecord.read(in); next.isPresent(); next = FileRecord.read(in)) {
            byte[] bytes = in.readNBytes((int) next.get().length());
            add(next.get().hex(), next.get().level(), another(next.get().hex(), bytes.length), bytes);
        }
    }

    /** Returns the node with the fewest bytes of this layer that does not have the file. */
    private String another(String hex, long length) throws IOException {
        Set<String> there = has.computeIfAbsent(hex, unused -> new HashSet<>());
        String found = sent.entrySet().stream()
                .filter(each -> !there.contains(each.getKey())
                        && !refused.contains(each.getKey())
                        && cluster.lives(each.getKey()))
                .min(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElseThrow(() ->
                        new IOException("file %s cannot have all its replicas: no other node takes it".formatted(hex)));
        there.add(found);
        sent.merge(found, length, Long::sum);
        return found;
    }

    private void putLarge(String hex, InputStream bytes, long length, Map<String, Integer> to) throws IOException {
        Path waiting = Files.createTempFile("packing-spread", "");
        try {
            long unused = Files.copy(bytes, waiting, StandardCopyOption.REPLACE_EXISTING);
            for (Map.Entry<String, Integer> each : to.entrySet()) {
                String name = each.getKey();
                while (!isPut(hex, each.getValue(), name, waiting, length)) {
                    refused.add(name);
                    name = another(hex, length);
                }
            }
        } finally {
            Files.deleteIfExists(waiting);
        }
    }

    private boolean isPut(String hex, int level, String name, Path file, long length) {
        if (refused.contains(name) || !cluster.lives(name)) {
            return false;
        }
        byte[] header = new FileRecord(hex, level, length).header();
        try {
            cluster.order(
                    name,
                    node -> node.putFiles(
                            header.length + length,
                            () -> new SequenceInputStream(
                                    new ByteArrayInputStream(header),
                                    new BufferedInputStream(Files.newInputStream(file), BATCH))));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void finish() throws IOException {
        while (!batches.isEmpty()) {
            for (String name : new ArrayList<>(batches.keySet())) {
                flush(name);
            }
        }
        if (!places.isEmpty()) {
            throw new IOException("%d files of a layer did not come".formatted(places.size()));
        }
    }
}
