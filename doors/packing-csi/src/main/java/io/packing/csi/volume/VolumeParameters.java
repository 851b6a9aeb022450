// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.DirectoryAttributes;
import io.packing.options.Nearest;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The parameters of a StorageClass.
 *
 * @param names the most files and directories of a volume
 * @param mode of the volume's top
 * @param user the number of its owner
 * @param group the number of its group
 */
public record VolumeParameters(OptionalLong names, int mode, long user, long group) {
    public static final String NAMES = "names";
    public static final String MODE = "mode";
    public static final String USER = "uid";
    public static final String GROUP = "gid";

    /** Sidecars add such keys, which tell of the claim. */
    private static final String OF_SIDECARS = "csi.storage.k8s.io/";

    private static final List<String> KEYS = List.of(NAMES, MODE, USER, GROUP);
    private static final int DEFAULT_MODE = 0777;
    private static final long MOST_ID = 0xFFFF_FFFEL;

    /** Reads the parameters of a request. */
    public static VolumeParameters from(Map<String, String> given) throws CsiRefusal {
        Map<String, String> known = new TreeMap<>();
        for (Map.Entry<String, String> each : given.entrySet()) {
            if (each.getKey().startsWith(OF_SIDECARS)) {
                continue;
            }
            if (!KEYS.contains(each.getKey())) {
                throw CsiRefusal.invalid("unknown parameter '%.100s'; did you mean '%s'?"
                        .formatted(each.getKey(), Nearest.to(each.getKey(), KEYS)));
            }
            known.put(each.getKey(), each.getValue());
        }
        OptionalLong names = known.containsKey(NAMES)
                ? OptionalLong.of(number(known, NAMES, 10, 1, Long.MAX_VALUE, 0))
                : OptionalLong.empty();
        return new VolumeParameters(
                names,
                Math.toIntExact(number(known, MODE, 8, 0, 07777, DEFAULT_MODE)),
                number(known, USER, 10, 0, MOST_ID, 0),
                number(known, GROUP, 10, 0, MOST_ID, 0));
    }

    private static long number(Map<String, String> given, String key, int radix, long least, long most, long otherwise)
            throws CsiRefusal {
        String text = given.get(key);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text, radix);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new CsiRefusal(CsiRefusal.Reason.INVALID_ARGUMENT, bad(key, text, radix, least, most), e);
        }
        throw CsiRefusal.invalid(bad(key, text, radix, least, most));
    }

    private static String bad(String key, String text, int radix, long least, long most) {
        return "parameter %s: '%.100s' is no number from %s to %s%s"
                .formatted(
                        key,
                        text,
                        Long.toString(least, radix),
                        Long.toString(most, radix),
                        radix == 8 ? ", in octal digits" : "");
    }

    /** Returns the parameters as a request could give them. */
    Map<String, String> written() {
        Map<String, String> written = new TreeMap<>();
        names.ifPresent(count -> written.put(NAMES, Long.toString(count)));
        written.put(MODE, Integer.toOctalString(mode));
        written.put(USER, Long.toString(user));
        written.put(GROUP, Long.toString(group));
        return written;
    }

    /** Returns the attributes of the top of a new volume. */
    DirectoryAttributes attributes() {
        return new DirectoryAttributes("#" + user, "#" + group, mode);
    }
}
