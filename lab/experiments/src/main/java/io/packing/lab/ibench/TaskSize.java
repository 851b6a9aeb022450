// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The size of the tasks' inputs.
 *
 * @param photos in the library
 * @param width of a photo in points, and {@code height} likewise
 * @param quality of its JPEG, from 0 to 1
 * @param variables of the scripts that make songs and the movie
 */
public record TaskSize(int photos, int width, int height, float quality, Map<String, String> variables) {
    public TaskSize {
        variables = Map.copyOf(variables);
    }

    /**
     * Returns a size of ibench.conf.
     *
     * @throws IllegalArgumentException naming the sizes that there are
     */
    public static TaskSize named(String name) {
        Config sizes = ConfigFactory.parseResources(TaskSize.class, "ibench.conf")
                .resolve()
                .getConfig("sizes");
        try {
            Config size = sizes.getConfig(name);
            Map<String, String> variables = new LinkedHashMap<>();
            Config known = size.getConfig("variables");
            known.root().keySet().forEach(key -> variables.put(key, known.getString(key)));
            return new TaskSize(
                    size.getInt("photos"),
                    size.getInt("photo-width"),
                    size.getInt("photo-height"),
                    (float) size.getDouble("photo-quality"),
                    variables);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(
                    "--inputs: no size '%s'; there are %s"
                            .formatted(name, new TreeSet<>(sizes.root().keySet())),
                    e);
        }
    }

    /** Returns this size with another number of photos. */
    public TaskSize with(int count) {
        return new TaskSize(count, width, height, quality, variables);
    }
}
