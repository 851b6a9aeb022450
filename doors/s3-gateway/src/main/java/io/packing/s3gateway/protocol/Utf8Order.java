// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import java.util.Comparator;

/** The order of keys: that of their bytes in UTF-8, which differs from that of Java's strings above U+FFFF. */
public final class Utf8Order implements Comparator<String> {
    public static final Utf8Order INSTANCE = new Utf8Order();

    private Utf8Order() {}

    @Override
    public int compare(String a, String b) {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            char one = a.charAt(i);
            char other = b.charAt(i);
            if (one != other) {
                boolean isHigh = Character.isSurrogate(one);
                boolean isOtherHigh = Character.isSurrogate(other);
                return isHigh == isOtherHigh ? Character.compare(one, other) : Boolean.compare(isHigh, isOtherHigh);
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
