// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * An element of a request's XML.
 *
 * @param text of the element itself
 */
public record XmlElement(String name, String text, List<XmlElement> children) {
    private static final int MOST_DEPTH = 16;
    private static final XMLInputFactory FACTORY = factory();

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        // A document that declares entities is refused before one of them is expanded.
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    /** An element that is being read. */
    private static final class Open {
        final String name;
        final StringBuilder text = new StringBuilder();
        final List<XmlElement> children = new ArrayList<>();

        Open(String name) {
            this.name = name;
        }

        XmlElement closed() {
            return new XmlElement(name, text.toString(), List.copyOf(children));
        }
    }

    /** Reads a document whose top element has a name. */
    public static XmlElement parse(byte[] document, String top) throws S3Exception {
        XmlElement element = parse(document);
        if (!element.name.equals(top)) {
            throw malformed("the top element is %.50s, want %s".formatted(element.name, top), null);
        }
        return element;
    }

    private static XmlElement parse(byte[] document) throws S3Exception {
        Deque<Open> open = new ArrayDeque<>();
        try {
            XMLStreamReader reader;
            synchronized (FACTORY) {
                reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(document));
            }
            while (reader.hasNext()) {
                int event = reader.next();
                switch (event) {
                    case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                        throw malformed("a document type or an entity is not taken", null);
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (open.size() == MOST_DEPTH) {
                            throw malformed("more than %d levels of elements".formatted(MOST_DEPTH), null);
                        }
                        open.push(new Open(reader.getLocalName()));
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                        if (!open.isEmpty()) {
                            open.element().text.append(reader.getText());
                        }
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        XmlElement closed = open.pop().closed();
                        if (open.isEmpty()) {
                            return closed;
                        }
                        open.element().children.add(closed);
                    }
                    default -> {}
                }
            }
        } catch (XMLStreamException e) {
            throw malformed("the body is no well-formed XML", e);
        }
        throw malformed("the body has no element", null);
    }

    private static S3Exception malformed(String why, @Nullable Throwable cause) {
        S3Exception malformed = new S3Exception(S3Code.MALFORMED_XML, why);
        if (cause != null) {
            malformed.initCause(cause);
        }
        return malformed;
    }

    /** Returns the children of a name. */
    public List<XmlElement> all(String child) {
        return children.stream().filter(each -> each.name.equals(child)).toList();
    }

    /** Returns the text of the first child of a name. */
    public Optional<String> find(String child) {
        return children.stream()
                .filter(each -> each.name.equals(child))
                .map(XmlElement::text)
                .findFirst();
    }

    /** Returns the text of a child that has to be there. */
    public String get(String child) throws S3Exception {
        return find(child)
                .orElseThrow(() -> new S3Exception(
                        S3Code.MALFORMED_XML, "an element %s without an element %s".formatted(name, child)));
    }
}
