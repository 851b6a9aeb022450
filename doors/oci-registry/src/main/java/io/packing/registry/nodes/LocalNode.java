// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.registry.dedup.ContentSource;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** This node. */
record LocalNode(NodeStore store, PullCounts pulls) implements PeerNode {
    @Override
    public boolean hasLayer(Digest digest) {
        return store.hasLayer(digest);
    }

    @Override
    public InputStream layer(Digest digest, long position) throws IOException {
        return Channels.newInputStream(store.layer(digest, position));
    }

    @Override
    public void putLayer(Digest digest, long length, Bytes bytes) throws IOException {
        try (InputStream in = bytes.open()) {
            store.putLayer(digest, length, in);
        }
    }

    @Override
    public void deleteLayer(Digest digest) throws IOException {
        store.deleteLayer(digest);
    }

    @Override
    public void checkLayer(Digest digest) throws IOException {
        store.checkLayer(digest);
    }

    @Override
    public void checkFile(String hex) throws IOException {
        store.checkFile(hex);
    }

    @Override
    public long scrub() throws IOException {
        return store.scrub();
    }

    @Override
    public List<String> oldLayers(Duration age) throws IOException {
        return store.oldLayers(age);
    }

    @Override
    public List<String> oldFiles(Duration age) throws IOException {
        return store.oldFiles(age);
    }

    @Override
    public Map<String, Integer> levels(List<String> hexes) throws IOException {
        return store.levels(hexes);
    }

    @Override
    public Set<ContentSource.Wanted> slice(List<ContentSource.Wanted> wanted, byte[] into) throws IOException {
        Set<ContentSource.Wanted> absent = new LinkedHashSet<>();
        for (ContentSource.Wanted each : wanted) {
            if (!store.read(each, ByteBuffer.wrap(into, each.at(), each.count()).slice())) {
                absent.add(each);
            }
        }
        return absent;
    }

    @Override
    public void putFiles(long length, Bytes records) throws IOException {
        try (InputStream in = records.open()) {
            store.putFiles(in);
        }
    }

    @Override
    public void deleteFile(String hex) throws IOException {
        store.deleteFile(hex);
    }

    @Override
    public Status status() {
        return new Status(store.bytes(), pulls.counts());
    }
}
