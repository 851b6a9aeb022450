// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.bdt.FileStatus;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.registry.oci.NameRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The images of a repository in the order in which their tags were set. */
public final class ImageHistory {
    private static final int PAGE = 1000;

    private final OpenRegistry registry;

    public ImageHistory(OpenRegistry registry) {
        this.registry = registry;
    }

    /** Returns the tags of a repository, the one that was set first at the front. */
    public List<String> tags(String repository) throws IOException {
        List<FileStatus> files = new ArrayList<>();
        String after = "";
        for (boolean more = true; more; ) {
            List<FileStatus> page = registry.files()
                    .list(registry.layout().tags(repository), after, PAGE)
                    .orElse(List.of());
            files.addAll(page);
            more = page.size() == PAGE;
            after = page.isEmpty() ? "" : page.get(page.size() - 1).path().name();
        }
        // Tags that were set within a millisecond have the order of the listing.
        files.sort(Comparator.comparingLong(file -> file.attributes().mtimeMillis()));
        return files.stream().map(file -> NameRules.tagOf(file.path().name())).toList();
    }

    /**
     * Returns the images from one to a later one, both included.
     *
     * @throws IllegalArgumentException if they are of two repositories, or in another order
     */
    public List<ImageName> between(ImageName first, ImageName last) throws IOException {
        String repository = first.repository();
        if (!repository.equals(last.repository())) {
            throw new IllegalArgumentException(
                    "%s and %s are two repositories: a history is of one".formatted(repository, last.repository()));
        }
        List<String> tags = tags(repository);
        int begin = place(tags, first);
        int end = place(tags, last);
        if (begin >= end) {
            throw new IllegalArgumentException("the tag %s was set before %s: give the earlier one first"
                    .formatted(last.reference(), first.reference()));
        }
        return tags.subList(begin, end + 1).stream()
                .map(tag -> new ImageName(repository, tag))
                .toList();
    }

    private static int place(List<String> tags, ImageName name) {
        int at = tags.indexOf(name.reference());
        if (at < 0) {
            throw new IllegalArgumentException(
                    "%s has no tag %s; it has %d tags".formatted(name.repository(), name.reference(), tags.size()));
        }
        return at;
    }
}
