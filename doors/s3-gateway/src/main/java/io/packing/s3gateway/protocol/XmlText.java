// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import java.nio.charset.StandardCharsets;

/** An XML document that grows, element by element. Confined to one thread. */
public final class XmlText {
    private static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

    private final StringBuilder text = new StringBuilder(512).append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

    /** Begins the top element, in the namespace of the protocol. */
    public XmlText top(String name) {
        text.append('<').append(name).append(" xmlns=\"").append(NAMESPACE).append("\">");
        return this;
    }

    public XmlText begin(String name) {
        text.append('<').append(name).append('>');
        return this;
    }

    public XmlText end(String name) {
        text.append("</").append(name).append('>');
        return this;
    }

    /** Adds an element with text. */
    public XmlText add(String name, String value) {
        begin(name);
        escape(value);
        return end(name);
    }

    public XmlText add(String name, long value) {
        return add(name, Long.toString(value));
    }

    public XmlText add(String name, boolean value) {
        return add(name, Boolean.toString(value));
    }

    /** Escapes text. S3 writes control characters, which XML 1.0 forbids, as references, too. */
    private void escape(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                case '"' -> text.append("&quot;");
                default -> {
                    if (c < ' ' || c == 0x7f || c == 0xfffe || c == 0xffff) {
                        text.append("&#x").append(Integer.toHexString(c)).append(';');
                    } else {
                        text.append(c);
                    }
                }
            }
        }
    }

    public byte[] bytes() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
