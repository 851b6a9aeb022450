// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The nodes of a registry. Every node has this list.
 *
 * @param nodes in the order of their names
 */
public record NodeList(List<Member> nodes) {
    /**
     * A node.
     *
     * @param name a word that it keeps as long as its disk: it says which layers are its own
     * @param uri where the others reach it
     */
    public record Member(String name, NodeRole role, URI uri) {
        public Member {
            if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
                throw new IllegalArgumentException("'%.80s' is no name of a node".formatted(name));
            }
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!isHttp || uri.getHost() == null) {
                throw new IllegalArgumentException("node %s: '%s' is no http://HOST:PORT".formatted(name, uri));
            }
        }
    }

    public NodeList {
        nodes = nodes.stream()
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList();
        Set<String> names = new LinkedHashSet<>();
        for (Member each : nodes) {
            if (!names.add(each.name())) {
                throw new IllegalArgumentException("node %s is in the list twice".formatted(each.name()));
            }
        }
    }

    /**
     * Reads a list: a node a line, {@code NAME primary|dedup URI}; empty lines and those that begin with # say nothing.
     *
     * @throws IllegalArgumentException for any other line
     */
    public static NodeList parse(List<String> lines) {
        List<Member> nodes = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.strip().split("\\s+", -1);
            if (line.isBlank() || words[0].startsWith("#")) {
                continue;
            }
            if (words.length != 3) {
                throw new IllegalArgumentException("'%.200s' is not NAME primary|dedup URI".formatted(line));
            }
            try {
                nodes.add(new Member(words[0], NodeRole.named(words[1]), new URI(words[2])));
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException("'%.200s': %s".formatted(line, e.getMessage()), e);
            }
        }
        return new NodeList(nodes);
    }

    /** Returns the names of the nodes of a role. */
    public List<String> names(NodeRole role) {
        return nodes.stream()
                .filter(each -> each.role() == role)
                .map(Member::name)
                .toList();
    }
}
