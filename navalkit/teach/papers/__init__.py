"""Lessons as papers: students' copies, cuts by the minute, slides, worksheets, and the teacher's plans."""
