' Documents that a user makes at a desk: each insert is followed by a save of a backup, as an automatic one is.
Const PHRASE = "The quick brown fox jumps over the lazy dog, and nobody at the desk looks up from the page. "

Function Setting(name As String, value) As Object
  Dim made As New com.sun.star.beans.PropertyValue
  made.Name = name
  made.Value = value
  Setting = made
End Function

Function Fresh(kind As String) As Object
  Fresh = StarDesktop.loadComponentFromURL("private:factory/" + kind, "_blank", 0, Array(Setting("Hidden", True)))
End Function

Function Photo(directory As String, number As Integer) As Object
  Dim provider As Object
  provider = createUnoService("com.sun.star.graphic.GraphicProvider")
  Photo = provider.queryGraphic(Array(Setting("URL", ConvertToURL(directory + "/p" + Format(number, "0000") + ".jpg"))))
End Function

Sub Keep(document As Object, path As String, filter As String)
  document.storeToURL(ConvertToURL(path), Array(Setting("FilterName", filter)))
End Sub

Sub Finish(document As Object, path As String, filter As String)
  Keep(document, path, filter)
  document.close(True)
  StarDesktop.terminate()
End Sub

Sub WriterText(path As String, filter As String, backup As String, pages As Integer)
  Dim document As Object, body As Object, page As Integer, sentence As Integer
  document = Fresh("swriter")
  body = document.Text
  For page = 1 To pages
    For sentence = 1 To 36
      body.insertString(body.End, PHRASE, False)
    Next
    body.insertControlCharacter(body.End, com.sun.star.text.ControlCharacter.PARAGRAPH_BREAK, False)
    If page Mod 5 = 0 Then Keep(document, backup, "writer8")
  Next
  Finish(document, path, filter)
End Sub

Sub WriterPictures(path As String, filter As String, backup As String, directory As String, count As Integer)
  Dim document As Object, body As Object, picture As Object, number As Integer
  document = Fresh("swriter")
  body = document.Text
  For number = 0 To count - 1
    picture = document.createInstance("com.sun.star.text.TextGraphicObject")
    picture.Graphic = Photo(directory, number)
    picture.AnchorType = com.sun.star.text.TextContentAnchorType.AS_CHARACTER
    picture.Width = 14000
    picture.Height = 10500
    body.insertTextContent(body.End, picture, False)
    body.insertControlCharacter(body.End, com.sun.star.text.ControlCharacter.PARAGRAPH_BREAK, False)
    Keep(document, backup, "writer8")
  Next
  Finish(document, path, filter)
End Sub

Sub ImpressText(path As String, filter As String, backup As String, count As Integer)
  Dim document As Object, shape As Object, number As Integer
  document = Fresh("simpress")
  For number = 0 To count - 1
    shape = document.createInstance("com.sun.star.drawing.TextShape")
    Place(document, number, shape)
    shape.setString(PHRASE + PHRASE + PHRASE)
    If number Mod 5 = 4 Then Keep(document, backup, "impress8")
  Next
  Finish(document, path, filter)
End Sub

Sub ImpressPictures(path As String, filter As String, backup As String, directory As String, count As Integer)
  Dim document As Object, shape As Object, number As Integer
  document = Fresh("simpress")
  For number = 0 To count - 1
    shape = document.createInstance("com.sun.star.drawing.GraphicObjectShape")
    Place(document, number, shape)
    shape.Graphic = Photo(directory, number)
    Keep(document, backup, "impress8")
  Next
  Finish(document, path, filter)
End Sub

Sub Place(document As Object, number As Integer, shape As Object)
  Dim corner As New com.sun.star.awt.Point
  Dim extent As New com.sun.star.awt.Size
  corner.X = 2000
  corner.Y = 3000
  extent.Width = 20000
  extent.Height = 10000
  If number >= document.DrawPages.Count Then document.DrawPages.insertNewByIndex(number)
  shape.setPosition(corner)
  shape.setSize(extent)
  document.DrawPages.getByIndex(number).add(shape)
End Sub
