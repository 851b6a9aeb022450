// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * An image of HelloBench, made of the distribution's packages (Slacker, Table 4.2).
 *
 * @param category as in the paper
 * @param baseLayers the lowest layers, which other images have, too
 * @param script a start, for the shell of the image; {@code PORT} is where a server is to listen
 */
record HelloImage(AptImages.Recipe recipe, String category, int baseLayers, String script, HelloReady ready) {
    /** Layers of packages above the distribution's own, as buildpack-deps has them: they are the bases of images. */
    static final List<List<String>> CURL = layers("ca-certificates curl netbase tzdata");

    static final List<List<String>> SCM = and(CURL, "git openssh-client procps");
    static final List<List<String>> COMPILERS = and(SCM, "gcc libc6-dev make");
    static final List<List<String>> BUILDPACK =
            and(SCM, "gcc g++ libc6-dev make patch", "libssl-dev zlib1g-dev libffi-dev libsqlite3-dev libxml2-dev");

    /** The users that servers become. */
    static final Map<String, String> USERS = Map.of(
            "etc/passwd",
            "root:x:0:0::/root:/bin/sh\npostgres:x:70:70::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n",
            "etc/group",
            "root:x:0:\npostgres:x:70:\nnogroup:x:65534:\n");

    String name() {
        return recipe.name();
    }

    /** Returns the base as an image of its own, whose start says a word. */
    HelloImage base() {
        AptImages.Recipe below =
                new AptImages.Recipe(name() + "-base", recipe.layers().subList(0, baseLayers - 1), List.of());
        return new HelloImage(below, category, baseLayers, "echo base", new HelloReady.Printed("base"));
    }

    /** Returns layers of packages, each a text with blanks between names. */
    static List<List<String>> layers(String... packages) {
        return Arrays.stream(packages).map(each -> List.of(each.split(" "))).toList();
    }

    private static List<List<String>> and(List<List<String>> base, String... packages) {
        List<List<String>> all = new ArrayList<>(base);
        all.addAll(layers(packages));
        return List.copyOf(all);
    }

    /** Returns an image whose program prints a text. */
    static HelloImage program(
            String category,
            String name,
            List<List<String>> base,
            List<List<String>> own,
            List<Map<String, String>> files,
            String script,
            String printed) {
        return of(category, name, base, own, files, script, new HelloReady.Printed(printed));
    }

    /** Returns an image whose server answers a request. */
    static HelloImage server(
            String category,
            String name,
            List<List<String>> base,
            List<List<String>> own,
            List<Map<String, String>> files,
            String script,
            HelloReady.FirstRequest request) {
        return of(category, name, base, own, files, script, new HelloReady.Answered(request));
    }

    private static HelloImage of(
            String category,
            String name,
            List<List<String>> base,
            List<List<String>> own,
            List<Map<String, String>> files,
            String script,
            HelloReady ready) {
        List<List<String>> layers = new ArrayList<>(base);
        layers.addAll(own);
        return new HelloImage(new AptImages.Recipe(name, layers, files), category, 1 + base.size(), script, ready);
    }
}
